/** Resolves with the promise, or after the timeout in milliseconds. Does not keep the process alive. */
export async function waitAtMost(milliseconds: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([promise, deadline]);
  clearTimeout(timer);
}
