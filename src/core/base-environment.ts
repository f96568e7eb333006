// The variables that any program needs to run at all, for programs that get nothing else but what is named for them.

const EVERYWHERE = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR"];
const WINDOWS = [
  ...["SystemRoot", "SystemDrive", "windir", "PATHEXT", "COMSPEC", "TEMP", "TMP", "USERPROFILE"],
  ...["APPDATA", "LOCALAPPDATA", "ProgramData", "ProgramFiles", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE"],
];

/** The names for an operating system, by Node's word for it. */
export function baseNames(platform: string): readonly string[] {
  return platform === "win32" ? [...EVERYWHERE, ...WINDOWS] : EVERYWHERE;
}
