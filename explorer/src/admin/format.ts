// Formats numbers and times of the status as short texts.

/** `1,240` */
export function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** `0.4`, `12` */
export function formatRate(value: number): string {
  return Number.isInteger(value) || value >= 10 ? formatCount(value) : value.toFixed(1);
}

export function formatMilliseconds(value: number | undefined): string {
  if (value === undefined) return '–';
  if (value >= 1000) return `${(value / 1000).toFixed(value >= 10_000 ? 0 : 1)} s`;
  return `${value >= 10 ? Math.round(value) : value.toFixed(1)} ms`;
}

const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
];

/** `2 d 3 h`, `45 s` */
export function formatDuration(seconds: number): string {
  const parts: string[] = [];
  let rest = Math.max(0, Math.floor(seconds));
  for (const [size, name] of UNITS) {
    if (rest >= size) parts.push(`${Math.floor(rest / size)} ${name}`);
    rest %= size;
  }
  return parts.length === 0 ? `${rest} s` : parts.slice(0, 2).join(' ');
}

/** @param time in RFC 3339 format @param now milliseconds since 1970 */
export function formatAge(time: string | undefined, now: number): string {
  if (time === undefined) return 'never';
  const seconds = (now - Date.parse(time)) / 1000;
  return seconds < 1 ? 'just now' : `${formatDuration(seconds)} ago`;
}
