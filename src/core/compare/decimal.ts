// Exact arithmetic on JSON number tokens, as far as `number` needs it: the distance of two of them.

/** Digits on either side of the point beyond which no exact difference is made. */
const MAX_POWER = 400;

interface Decimal {
  readonly digits: bigint;
  readonly power: number;
}

function parse(token: string): Decimal | undefined {
  const match = /^(-?[0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,9}))?$/.exec(token);
  if (!match) return undefined;
  const [, whole, fraction = "", exponent = "0"] = match;
  const power = Number(exponent) - fraction.length;
  if (Math.abs(power) > MAX_POWER || whole!.length > MAX_POWER) return undefined;
  return { digits: BigInt(`${whole}${fraction}`), power };
}

/** Whether two numbers are at most `tolerance` apart; undefined when one of the three is out of the range of this file. */
export function within(a: string, b: string, tolerance: string): boolean | undefined {
  const [x, y, limit] = [parse(a), parse(b), parse(tolerance)];
  if (!x || !y || !limit) return undefined;
  const power = Math.min(x.power, y.power, limit.power);
  const scaled = (decimal: Decimal) => decimal.digits * 10n ** BigInt(decimal.power - power);
  const distance = scaled(x) - scaled(y);
  return (distance < 0n ? -distance : distance) <= scaled(limit);
}
