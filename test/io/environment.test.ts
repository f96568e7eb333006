// Which variables reach the wrapped server and which a verifier.

import { describe, expect, test } from "vitest";
import { readerEnvironment, serverEnvironment, verifierEnvironment } from "../../src/io/environment.ts";

const own = { PATH: "/bin", HOME: "/h", TZ: "UTC", OTHER: "o", Readback_Token: "t", EMPTY: "", GONE: undefined };

test("the server gets everything but the secret names, empty values included", () => {
  expect({ ...serverEnvironment(own, ["Readback_Token", "NOT_SET"], "linux") }).toEqual({
    PATH: "/bin",
    HOME: "/h",
    TZ: "UTC",
    OTHER: "o",
    EMPTY: "",
  });
});

test("case hides a secret name on Windows only", () => {
  expect(serverEnvironment(own, ["READBACK_TOKEN"], "win32")).not.toHaveProperty("Readback_Token");
  expect(serverEnvironment(own, ["READBACK_TOKEN"], "linux")).toHaveProperty("Readback_Token", "t");
});

test("a verifier gets everything when its contract lists no variables", () => {
  const { GONE, ...set } = own;
  expect({ ...verifierEnvironment(own, { env: undefined, secretEnv: [] }, "linux") }).toEqual(set);
});

test("a verifier with a list gets the list, its secrets and what a program needs to run", () => {
  const spec = { env: ["OTHER"], secretEnv: ["Readback_Token"] };
  expect(Object.keys(verifierEnvironment(own, spec, "linux")).sort()).toEqual([
    "HOME",
    "OTHER",
    "PATH",
    "Readback_Token",
    "TZ",
  ]);
  expect(Object.keys(verifierEnvironment(own, { env: [], secretEnv: [] }, "linux")).sort()).toEqual([
    "HOME",
    "PATH",
    "TZ",
  ]);
});

test("a verifier on Windows keeps what launchers need, whatever its case", () => {
  const windows = {
    Path: "C:\\bin",
    systemroot: "C:\\Windows",
    PATHEXT: ".EXE",
    ComSpec: "cmd.exe",
    OTHER: "o",
    token: "t",
  };
  const names = Object.keys(verifierEnvironment(windows, { env: [], secretEnv: ["TOKEN"] }, "win32")).sort();
  expect(names).toEqual(["ComSpec", "PATHEXT", "Path", "systemroot", "token"]);
});

test("variables named like parts of an object are plain names", () => {
  const odd = JSON.parse('{"__proto__":"p","constructor":"c","toString":"s"}') as Record<string, string>;
  expect(Object.entries(serverEnvironment(odd, ["constructor"], "linux"))).toEqual([
    ["__proto__", "p"],
    ["toString", "s"],
  ]);
  expect(Object.keys(serverEnvironment({ A: "1" }, ["__proto__"], "linux"))).toEqual(["A"]);
});

describe("the reader", () => {
  const own = {
    PATH: "/bin",
    HOME: "/home/u",
    TOKEN: "t",
    OTHER_TOKEN: "o",
    HTTPS_PROXY: "http://p",
    no_proxy: "x",
    HTTP_PROXY: "http://q",
    NODE_EXTRA_CA_CERTS: "/ca.pem",
    NODE_TLS_REJECT_UNAUTHORIZED: "0",
    NODE_OPTIONS: "--require x",
    UNSET: undefined,
  };

  test("gets the names of its read-backs, the way to the network, a minimal base, and nothing else", () => {
    expect({ ...readerEnvironment(own, ["TOKEN", "UNSET"], "linux") }).toEqual({
      PATH: "/bin",
      HOME: "/home/u",
      TOKEN: "t",
      HTTPS_PROXY: "http://p",
      no_proxy: "x",
      NODE_EXTRA_CA_CERTS: "/ca.pem",
    });
  });

  test("on Windows gets them whatever the case", () => {
    expect({ ...readerEnvironment({ Path: "p", token: "t", SystemRoot: "r" }, ["TOKEN"], "win32") }).toEqual({
      Path: "p",
      token: "t",
      SystemRoot: "r",
    });
  });
});
