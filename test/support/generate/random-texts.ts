// Random texts of values of many types.
import type { Random } from './random.ts';

const PIECES = [
  'a',
  'ü',
  '😀',
  '"',
  '\\',
  '/',
  '\n',
  '\r',
  '\t',
  '\u0001',
  '\u001f',
  '\u007f',
  '\u2028',
  ' ',
  ',',
  '{',
];

function randomText(random: Random): string {
  const length = random.pick([1, 3, 20, 70, random.chance(0.1) ? 20_000 : 5]);
  return Array.from({ length }, () => random.pick(PIECES)).join('');
}

function randomNumber(random: Random): string {
  const digits = Array.from({ length: 1 + random.roll(25) }, () => random.roll(10)).join('');
  const sign = random.pick(['', '-']);
  return random.pick([
    `${sign}${digits.slice(0, 1 + random.roll(9))}`,
    `${sign}${digits}.${random.roll(1_000_000)}`,
    `${sign}${digits.slice(0, 3)}e${random.pick(['', '-'])}${random.roll(38)}`,
  ]);
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function randomMoment(random: Random): string {
  const year = random.pick([random.roll(9999) + 1, 1900 + random.roll(200), 10_000 + random.roll(200_000)]);
  const date = `${String(year).padStart(4, '0')}-${two(1 + random.roll(12))}-${two(1 + random.roll(28))}`;
  const time = `${two(random.roll(24))}:${two(random.roll(60))}:${two(random.roll(60))}`;
  const fraction = random.pick(['', `.${random.roll(1_000_000)}`]);
  const zone = random.pick(['', '+00', `+${two(random.roll(14))}:30`, `-${two(random.roll(12))}`]);
  const era = random.chance(0.1) ? ' BC' : '';
  return random.pick([`${date}${era}`, `${date} ${time}${fraction}${zone}${era}`, `${time}${fraction}${zone}`]);
}

function randomInterval(random: Random): string {
  const sign = (): string => random.pick(['', '-']);
  return `${sign()}${random.roll(99)} y ${sign()}${random.roll(12)} mon ${sign()}${random.roll(40)} d ${sign()}${random.roll(99)}:07:08.${random.roll(1000)}`;
}

function randomJson(random: Random, depth = 0): string {
  const space = random.pick(['', ' ', '\n', '\n  ']);
  const inner = (): string => (depth > 2 ? '1' : randomJson(random, depth + 1));
  return random.pick([
    () => JSON.stringify(randomText(random)),
    () => randomNumber(random),
    () => `[${space}${random.list(0, 3, inner).join(`,${space}`)}${space}]`,
    () => `{${random.list(0, 3, () => `${space}${JSON.stringify(randomText(random))}:${space}${inner()}`).join(',')}}`,
  ])();
}

/** Returns texts, each a value of some types, from short to long. */
export function randomTexts(random: Random, count: number): readonly string[] {
  const number = (): string => randomNumber(random);
  const makers: readonly (() => string)[] = [
    () => randomText(random),
    number,
    number,
    () => randomMoment(random),
    () => randomMoment(random),
    () => randomInterval(random),
    () => randomJson(random),
    () => `{${random.list(0, 4, number).join(',')}}`,
    () => `{${random.list(0, 4, () => JSON.stringify(randomText(random))).join(',')}}`,
    () => `[${random.roll(100)},${100 + random.roll(100)})`,
    () => `(${number()},${number()})`,
    () => `\\x${random.list(0, 30, () => random.roll(256).toString(16).padStart(2, '0')).join('')}`,
    () => random.list(1, 70, () => random.roll(2)).join(''),
    () => random.list(4, 4, () => random.roll(256)).join('.'),
  ];
  return random.list(count, count, () => random.pick(makers)());
}
