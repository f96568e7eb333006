// Slack: every answer is a 200, and `ok` says whether it is one.

import { ok } from "../../fixtures/api.ts";
import { json, none, type Vendor } from "./vendor.ts";

const ts = "1760000000.000200";
const thread = "1760000000.000100";
const message = { type: "message", ts, text: "Oiled &amp; done", user: "U1" };
const answer = json({ ok: true, channel: "C1", ts, message });

export const slack: Vendor = {
  contract: "slack",
  origin: "https://slack.com",
  env: { SLACK_READ_TOKEN: "xoxb-SENTINEL" },
  reply({ segments, query, headers }, { record, more }) {
    const no = (error: string) => ok({ ok: false, error });
    if (headers.authorization !== "Bearer xoxb-SENTINEL") return no("invalid_auth");
    if (segments[0] !== "api") return { status: 404, body: {} };
    if (query.get("channel") !== "C1" || record?.hidden) return no("channel_not_found");
    if (query.get("oldest") !== ts || query.get("latest") !== ts || query.get("inclusive") !== "true") {
      return no("invalid_arguments");
    }
    const parent = segments[1] === "conversations.replies" ? [{ type: "message", ts: thread, thread_ts: thread }] : [];
    if (parent.length > 0 && query.get("ts") !== thread) return no("thread_not_found");
    const messages = [...parent, ...(record === undefined ? [] : [record])];
    return ok({ ok: true, messages, has_more: more === true });
  },
  cases: [
    {
      tool: "slack_post_message",
      args: { channel_id: "#general", text: "Oiled & done" },
      answer,
      good: { record: message },
      wrong: { "no message": { record: { ...message, type: "event" } } },
      missing: {
        "no message": [none, "fail"],
        "a deleted message": [{ record: { ...message, subtype: "tombstone" } }, "fail"],
        "a list that goes on": [{ more: true }, "unknown"],
      },
      doubtful: { "a channel that the token may not read": { record: { hidden: true } } },
    },
    {
      tool: "slack_reply_to_thread",
      args: { channel_id: "C1", thread_ts: thread, text: "Oiled & done" },
      answer,
      good: { record: { ...message, thread_ts: thread } },
      wrong: { "a reply in another thread": { record: { ...message, thread_ts: "1750000000.000100" } } },
      missing: { "no reply": [none, "fail"], "a list that goes on": [{ more: true }, "unknown"] },
      doubtful: { "a channel that the token may not read": { record: { hidden: true } } },
    },
  ],
};
