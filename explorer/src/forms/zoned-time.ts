// Converts a timestamp between the format of the database and that of a date-time input in the browser's time zone.

/** `2026-03-01T09:30:00+00:00` → `2026-03-01T10:30:00`; undefined if the input cannot show it. */
export function toLocalTime(text: string): string | undefined {
  const moment = new Date(text);
  const isShown = !Number.isNaN(moment.getTime()) && moment.getFullYear() > 0 && moment.getFullYear() < 10_000;
  if (!isShown || !/[T ]\d\d:\d\d.*(?:Z|[+-]\d\d(?::?\d\d)?)$/u.test(text)) return undefined;
  const date = [pad(moment.getFullYear(), 4), pad(moment.getMonth() + 1), pad(moment.getDate())].join('-');
  return `${date}T${pad(moment.getHours())}:${pad(moment.getMinutes())}:${pad(moment.getSeconds())}`;
}

/** `2026-03-01T10:30:00` → `2026-03-01T10:30:00+01:00` */
export function withOffset(local: string): string {
  const moment = new Date(local);
  if (Number.isNaN(moment.getTime())) return local;
  const minutes = -moment.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${local}${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}

function pad(value: number, digits = 2): string {
  return String(value).padStart(digits, '0');
}
