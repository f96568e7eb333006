// Which environment variables the wrapped server, the verifiers and the reader get.

import { baseNames } from "../core/base-environment.ts";
import type { VerifierSpec } from "../core/contract/types.ts";

/** Variable names and values; the same shape as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Takes fourgate's environment and every `secret_env` name. Gives all of it but those names; on Windows case does not matter. */
export function serverEnvironment(
  own: Environment,
  secretNames: Iterable<string>,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const hidden = new Set([...secretNames].map((name) => sameName(name, platform)));
  return select(own, (name) => !hidden.has(sameName(name, platform)));
}

/** Variables that say how to reach a system of record; never one that turns a check of certificates off. */
const NETWORK_NAMES = [
  ...["HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"],
  ...["NODE_EXTRA_CA_CERTS", "NODE_USE_SYSTEM_CA", "SSL_CERT_FILE", "SSL_CERT_DIR"],
];

/** Takes fourgate's environment and the names that the read-backs use. Gives a minimal base, the network's names and those. */
export function readerEnvironment(
  own: Environment,
  names: Iterable<string>,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const shown = new Set([...baseNames(platform), ...NETWORK_NAMES, ...names].map((name) => sameName(name, platform)));
  return select(own, (name) => shown.has(sameName(name, platform)));
}

/** Credentials that do not stand in fourgate's environment, by the name of their variable. */
export type SecretValues = Readonly<Record<string, string>>;

/** Takes fourgate's environment and a verifier. Gives all of it, or, where the contract has `env`, a minimal base, `env` and `secret_env`. */
export function verifierEnvironment(
  own: Environment,
  spec: Pick<VerifierSpec, "env" | "secretEnv">,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  if (spec.env === undefined) return select(own, () => true);
  const shown = new Set(
    [...baseNames(platform), ...spec.env, ...spec.secretEnv].map((name) => sameName(name, platform)),
  );
  return select(own, (name) => shown.has(sameName(name, platform)));
}

function sameName(name: string, platform: NodeJS.Platform): string {
  return platform === "win32" ? name.toUpperCase() : name;
}

/** No prototype: a variable may be called `__proto__` or `constructor`, and child_process reads inherited members too. */
function select(own: Environment, wanted: (name: string) => boolean): Record<string, string> {
  const chosen: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && wanted(name)) chosen[name] = value;
  }
  return chosen;
}
