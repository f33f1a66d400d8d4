// The method calls of the client libraries that send a write.
import { renderSelect } from '../../../src/request/query/render-query.ts';
import { renderName } from '../../../src/request/query/render-names.ts';
import { type Call, isAllColumns, keepBlanks, type Literal, type Scalar } from './client-calls.ts';
import type { CopiedWrite } from './copied-write.ts';

type Options = readonly (readonly [name: string, value: Scalar])[];

/** @param conditions the calls for filters, order and range */
export function jsWriteCalls(write: CopiedWrite, conditions: readonly Call[]): readonly Call[] | undefined {
  const { model, returnsRows, isSingle, isRolledBack, count } = write;
  const select = keepBlanks(renderSelect(model.params.select));
  if (select === undefined) return undefined;
  const options: Options = [
    ...onConflictOf(write).map((text) => ['onConflict', text] as const),
    ...(write.ignoresDuplicates ? [['ignoreDuplicates', true] as const] : []),
    ...(write.usesDefaults ? [['defaultToNull', false] as const] : []),
    ...(count === undefined ? [] : [['count', count] as const]),
  ];
  const isAll = isAllColumns(model);
  const selects = returnsRows && (write.kind !== 'call' || !isAll);
  return [
    ...startCalls(write, { from: 'from', options }),
    ...conditions,
    ...(selects ? [{ name: 'select', args: isAll ? [] : [select] }] : []),
    ...(isRolledBack ? [{ name: 'rollback', args: [] }] : []),
    ...(isSingle ? [{ name: 'single', args: [] }] : []),
  ];
}

/** The Python library always returns all columns, and cannot ask for one object or for a rollback. */
export function pythonWriteCalls(write: CopiedWrite, conditions: readonly Call[]): readonly Call[] | undefined {
  const { model, returnsRows, isSingle, isRolledBack, count, kind } = write;
  if (isSingle || isRolledBack || !isAllColumns(model) || (kind === 'call' && count !== undefined)) return undefined;
  const options: Options = [
    ...onConflictOf(write).map((text) => ['on_conflict', text] as const),
    ...(write.ignoresDuplicates ? [['ignore_duplicates', true] as const] : []),
    ...(write.usesDefaults ? [['default_to_null', false] as const] : []),
    ...(count === undefined ? [] : [['count', count] as const]),
    ...(returnsRows ? [] : [['returning', 'minimal'] as const]),
  ];
  return [...startCalls(write, { from: 'from_', options }), ...conditions];
}

function startCalls(
  { kind, model, values }: CopiedWrite,
  { from, options }: { readonly from: string; readonly options: Options },
): readonly Call[] {
  const args: readonly Literal[] = values === undefined ? [] : [{ json: values }];
  // The libraries do not encode the name.
  const name = /[%/?#\\]/u.test(model.path.name) ? encodeURIComponent(model.path.name) : model.path.name;
  if (kind === 'call') return [{ name: 'rpc', args: [name, ...args], options }];
  return [
    { name: from, args: [name] },
    { name: kind, args, options },
  ];
}

function onConflictOf({ model }: CopiedWrite): readonly string[] {
  const { onConflict } = model.params;
  return onConflict === undefined ? [] : [onConflict.map(renderName).join(',')];
}
