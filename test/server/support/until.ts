// Waiting for what comes about by itself.
import { setTimeout } from 'node:timers/promises';

/** The first value that is neither false nor undefined; throws after `seconds`. */
export async function until<T>(
  what: () => T | Promise<T>,
  { seconds = 60, why = () => 'what was awaited' }: { readonly seconds?: number; readonly why?: () => string } = {},
): Promise<Exclude<T, false | undefined>> {
  const end = performance.now() + seconds * 1000;
  for (;;) {
    const value = await what();
    if (value !== false && value !== undefined) return value as Exclude<T, false | undefined>;
    if (performance.now() > end) throw new Error(`not within ${seconds} s: ${why()}`);
    await setTimeout(15);
  }
}
