// Renders a qualified name for the dump.
import type { QualifiedName } from '../contract/identifiers.ts';

export interface DumpName {
  readonly qiName: string;
  readonly qiSchema: string;
}

export function dumpName({ schema, name }: QualifiedName): DumpName {
  return { qiName: name, qiSchema: schema };
}
