// Prints the result of a command. Returns its exit code.

export function print(text: string): 0 {
  process.stdout.write(text);
  return 0;
}

export function printError(text: string): 1 {
  process.stderr.write(`${text}\n`);
  return 1;
}
