/** `2026-03-01 09:30:00`, as tables show times, in the time zone of the browser. This locale writes them so. */
export function formatLocalTime(milliseconds: number): string {
  return new Date(milliseconds).toLocaleString('sv-SE');
}
