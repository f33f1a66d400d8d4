// Polls until a condition holds.
import { setTimeout } from 'node:timers/promises';

/** Returns the first value that is neither false nor undefined; throws after `seconds`. */
export async function until<T>(
  read: () => T | Promise<T>,
  {
    seconds = 60,
    why = () => 'the condition does not hold',
  }: { readonly seconds?: number; readonly why?: () => string } = {},
): Promise<Exclude<T, false | undefined>> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const value = await read();
    if (value !== false && value !== undefined) return value as Exclude<T, false | undefined>;
    if (performance.now() > end) throw new Error(`not within ${seconds} s: ${why()}`);
    await setTimeout(15);
  }
}
