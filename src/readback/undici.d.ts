// The few parts of undici that are used, each imported by itself: the whole of it takes longer to load than a read takes.

declare module "undici/lib/dispatcher/agent.js" {
  import type { Agent } from "undici";

  const agent: typeof Agent;
  export default agent;
}

declare module "undici/lib/dispatcher/env-http-proxy-agent.js" {
  import type { EnvHttpProxyAgent } from "undici";

  const agent: typeof EnvHttpProxyAgent;
  export default agent;
}

declare module "undici/lib/dispatcher/dispatcher.js" {
  import type { Dispatcher } from "undici";

  const dispatcher: { prototype: { connect: Dispatcher["connect"] } };
  export default dispatcher;
}

declare module "undici/lib/api/api-connect.js" {
  import type { Dispatcher } from "undici";

  const connect: Dispatcher["connect"];
  export default connect;
}
