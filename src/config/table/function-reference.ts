// Function-valued options: `schema.function` or `function`, both parts exact identifiers (`operating.md` §1.3 item 7).
import { quoteIdentifier } from '../../contract/identifiers.ts';
import type { FunctionReference } from './app-config.ts';

export function parseFunctionReference(text: string): FunctionReference {
  const dot = text.indexOf('.');
  if (dot === -1) return { schema: undefined, name: text };
  return { schema: text.slice(0, dot), name: text.slice(dot + 1) };
}

export function printFunctionReference(reference: FunctionReference): string {
  return reference.schema === undefined ? reference.name : `${reference.schema}.${reference.name}`;
}

/** Quotes the reference for SQL; without a schema, the search path decides at call time. */
export function quoteFunctionReference(reference: FunctionReference): string {
  const name = quoteIdentifier(reference.name);
  return reference.schema === undefined ? name : `${quoteIdentifier(reference.schema)}.${name}`;
}
