// Formats times for the logs.

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Formats local time as `06/May/2027:08:16:11 +0200`. Caches the text for one second. */
export class LogClock {
  #second = Number.NaN;
  #text = '';

  /** @param now milliseconds since the epoch */
  format(now: number): string {
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#text = formatLogTime(new Date(second * 1000));
    }
    return this.#text;
  }
}

function formatLogTime(date: Date): string {
  const day = `${pad(date.getDate())}/${MONTHS[date.getMonth()]}/${date.getFullYear()}`;
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
  return `${day}:${time} ${formatOffset(-date.getTimezoneOffset())}`;
}

/** @param minutes east of UTC */
function formatOffset(minutes: number): string {
  const distance = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(distance / 60))}${pad(distance % 60)}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
