// Edits of function arguments in the URL.
import { changeParams } from './levels.ts';
import type { QueryModel } from './query-model.ts';

/** Returns all values of a parameter; a variadic one can have several. */
export function argumentsOf({ params }: QueryModel, name: string): readonly string[] {
  return params.args.filter(([given]) => given === name).map(([, value]) => value);
}

/** Pass `[]` to use the default of the function. */
export function setArgument(model: QueryModel, name: string, values: readonly string[]): QueryModel {
  const { args } = model.params;
  const found = args.findIndex(([given]) => given === name);
  const start = found < 0 ? args.length : found;
  const others = args.slice(start).filter(([given]) => given !== name);
  const own = values.map((value) => [name, value] as const);
  return changeParams(model, { args: [...args.slice(0, start), ...own, ...others] });
}
