/** Resolves with the promise, but no later than after so many milliseconds. Keeps no process alive. */
export async function waitAtMost(milliseconds: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([promise, deadline]);
  clearTimeout(timer);
}
