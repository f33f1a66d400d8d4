// Renders the main statement that describes a schema (`operating.md` §12.1). Its result is not sent to the client but
// read by `openapi/describe-schema.ts` and `openapi/schema-document/`.
import { renderRoleDetailsSql } from '../catalog/introspect/role-details.sql.ts';
import { renderSchemaVisibilitySql } from '../catalog/introspect/schema-visibility.sql.ts';
import type { MainStatement } from '../contract/transaction.ts';
import type { DescribeAction } from '../plan/actions/action-plan.ts';

export function renderVisibility({
  schema,
  mode,
  document,
}: Pick<DescribeAction, 'schema' | 'mode' | 'document'>): MainStatement {
  const isLive = mode === 'follow-privileges';
  const visibility = document === 'schema' ? renderRoleDetailsSql(schema) : renderSchemaVisibilitySql(schema);
  const columns = [
    '0::bigint as "page_rows"',
    'null::bigint as "total"',
    `nullif(current_setting('response.headers', true), '') as "response_headers"`,
    `nullif(current_setting('response.status', true), '') as "response_status"`,
    `${isLive ? `(${visibility})` : 'null'}::text as "body"`,
  ];
  return {
    text: `select ${columns.join(', ')}`,
    parameters: isLive ? [schema] : [],
    delivery: { kind: 'value', encoding: 'text' },
  };
}
