// The contract of a case: its own, or its tool's in the file under `contracts`.

import { type Compilation, compileTool } from "../contract/compile.ts";
import { showName } from "../contract/issue.ts";
import { nearestName } from "../contract/nearest.ts";
import { type Member, memberNamed, memberOf, type Node, type Step } from "../contract/tree.ts";
import type { Contract, ToolContract } from "../contract/types.ts";
import { words } from "./words.ts";

/** Keys of a tool's contract that may also stand beside `outcome_contract`. */
const BESIDE = ["record_id_field", "readback"];

/** The case's own contract, read as one of a contract file: what stands beside `outcome_contract` counts as in it. */
export function ownContract(node: Node, steps: readonly Step[], compilation: Compilation): ToolContract | undefined {
  const inner = memberNamed(node, "outcome_contract")!;
  const { value } = inner;
  if (value.type !== "object") return undefined;
  const beside = BESIDE.flatMap((key): Member[] => {
    const member = memberNamed(node, key);
    if (member === undefined) return [];
    if (memberOf(value, key) !== undefined) {
      compilation.note(member.at, [...steps, key], words.twice("in outcome_contract"));
      return [];
    }
    return [member];
  });
  const here = [...steps, "outcome_contract"];
  const merged: Member = { ...inner, key: "tool", value: { ...value, members: [...value.members, ...beside] } };
  const outside = new Set(beside.map(({ key }) => key));
  const placed: Compilation = {
    ...compilation,
    // What is wrong with a key beside it is told at its own place.
    note: (at, place, wording) => {
      const key = place[here.length];
      const isBeside = typeof key === "string" && outside.has(key);
      compilation.note(at, isBeside ? [...steps, ...place.slice(here.length)] : place, wording);
    },
  };
  const contract = compileTool(merged, here, placed)?.spec;
  checkId(merged.value, here, contract, placed);
  if (contract === undefined || memberOf(value, "allowed_failure_reasons") !== undefined) return contract;
  if (contract.readback === undefined || compilation.readbacks === undefined) {
    compilation.note(value.at, [...here, "allowed_failure_reasons"], words.noReasons());
    return undefined;
  }
  return { ...contract, allowedFailureReasons: new Set(compilation.readbacks.failureReasons(contract.readback)) };
}

/** What was asked for is known before; only an answer can name what was made. */
function checkId(node: Node, steps: readonly Step[], contract: ToolContract | undefined, { note }: Compilation): void {
  const field = memberOf(node, "record_id_field");
  if (field?.type !== "string" || contract?.extract.get(field.text)?.source !== "arguments") return;
  note(field.at, [...steps, "record_id_field"], words.idFromArguments());
}

/** The contract of the case's tool in the file under `contracts`; `hasContracts`: one is named, though it may be bad. */
export function namedContract(
  node: Node,
  tool: string | undefined,
  steps: readonly Step[],
  hasContracts: boolean,
  contracts: Contract | undefined,
  { note }: Compilation,
): ToolContract | undefined {
  if (!hasContracts) {
    note(node.at, [...steps, "outcome_contract"], words.noContract());
    return undefined;
  }
  for (const key of BESIDE) {
    const member = memberNamed(node, key);
    if (member !== undefined) note(member.at, [...steps, key], words.besideContracts());
  }
  if (tool === undefined || contracts === undefined) return undefined;
  const contract = contracts.tools.get(tool);
  if (contract === undefined) {
    const nearest = nearestName(tool, [...contracts.tools.keys()]);
    const at = memberOf(node, "tool")!.at;
    note(at, [...steps, "tool"], words.notInContracts(nearest === undefined ? undefined : showName(nearest)));
  }
  return contract;
}
