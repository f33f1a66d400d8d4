// Renders the result of a function as `Returns`. For rows of a relation, adds `SetofOptions`, which tells the client
// their relationships.
import { findRelation, type Routine } from '../../src/catalog/schema-cache.ts';
import { assertNever } from '../../src/contract/result.ts';
import type { QualifiedName } from '../../src/contract/identifiers.ts';
import { listComputedFields } from './computed-fields.ts';
import { isListedAsTable } from './render-relation.ts';
import { renderFunctionType, renderReference, renderType, type TypegenContext } from './render-type.ts';
import { renderArray, renderLiteral, renderObject, type Member } from './typescript.ts';

export function renderResult({ name, result }: Routine, context: TypegenContext): readonly Member[] {
  switch (result.kind) {
    case 'void':
      return [{ name: 'Returns', type: 'undefined' }];
    case 'scalar':
      return renderReturns(result.isRecord ? RECORD : renderFunctionType(result.type, 'output', context), result.isSet);
    case 'composite': {
      const { rowType, isSet } = result;
      if (rowType !== undefined && findRelation(context.cache, rowType) !== undefined) {
        const isSameSchema = rowType.schema === name.schema;
        const options = isSameSchema ? [{ name: 'SetofOptions', type: renderSetofOptions(rowType, isSet) }] : [];
        return [...renderReturns(renderRelationRow(rowType, context), isSet), ...options];
      }
      if (rowType !== undefined) return renderReturns(renderType(result.type, 'output', context), isSet);
      return renderReturns(renderOutColumns(result.outColumns, context), isSet);
    }
    default:
      return assertNever(result);
  }
}

/** Omits computed fields, which are returned only if selected. */
export function renderRelationRow(name: QualifiedName, context: TypegenContext): string {
  const relation = findRelation(context.cache, name);
  const group = relation === undefined || isListedAsTable(relation) ? 'Tables' : 'Views';
  const row = renderReference(name.schema, group, name.name, 'Row');
  const computed = relation === undefined ? [] : listComputedFields(relation, context);
  const names = computed.map((field) => renderLiteral(field.name.name));
  return names.length === 0 ? row : `Omit<${row}, ${names.join(' | ')}>`;
}

const RECORD = 'Record<string, unknown>';

function renderReturns(type: string, isSet: boolean): readonly Member[] {
  return [{ name: 'Returns', type: isSet ? renderArray(type) : type }];
}

function renderOutColumns(
  columns: readonly (readonly [name: string, type: string])[],
  context: TypegenContext,
): string {
  return renderObject(columns.map(([name, type]) => ({ name, type: renderFunctionType(type, 'output', context) })));
}

/** `*` means that the function is not a field of a row. */
function renderSetofOptions(target: QualifiedName, isSet: boolean): string {
  return renderObject([
    { name: 'from', type: '"*"' },
    { name: 'to', type: renderLiteral(target.name) },
    { name: 'isOneToOne', type: String(!isSet) },
    { name: 'isSetofReturn', type: String(isSet) },
  ]);
}
