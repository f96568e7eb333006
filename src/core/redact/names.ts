// Which names say that what stands beside them is secret.

const SECRET =
  /token|secret|passw|pass_?phrase|api[-_ ]?key|private[-_ ]?key|access[-_ ]?key|authorization|cookie|credential/i;

/** A member, a header or a field of this name holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}

/** A variable of this name holds one, or an address or folder that is nobody's business. */
export function isPrivateVariable(name: string): boolean {
  return isSecretName(name) || /(?:^|_)(?:KEY|URL|DSN|PWD|AUTH)$/i.test(name);
}
