// The schema described × `openapi-mode` → the main statement of the transaction (`operating.md` §12.1). Its body is for
// `decodeVisibility`, not for the client.
import type { OpenApiMode } from '../config/app-config.ts';
import type { MainStatement } from '../contract/transaction.ts';
import type { DescribeAction } from '../plan/actions/action-plan.ts';
import { renderArrayLiteral } from '../sql/array-literal.ts';
import { renderTransaction, type ScriptContext } from '../sql/render-script.ts';
import type { TransactionScript } from '../sql/transaction-script.ts';
import { PRIVILEGES_SQL } from './privileges.sql.ts';

export function renderDescribe(action: DescribeAction, context: ScriptContext): TransactionScript {
  return renderTransaction(action, renderVisibility(action.schema, action.mode), context);
}

/** @returns the main statement */
export function renderVisibility(schema: string, mode: Exclude<OpenApiMode, 'disabled'>): MainStatement {
  const isLive = mode === 'follow-privileges';
  const columns = [
    `${isLive ? `(${PRIVILEGES_SQL})` : 'null'}::text as "body"`,
    '0::bigint as "page_rows"',
    'null::bigint as "total"',
    `nullif(current_setting('response.headers', true), '') as "response_headers"`,
    `nullif(current_setting('response.status', true), '') as "response_status"`,
  ];
  return {
    text: `select ${columns.join(', ')}`,
    parameters: isLive ? [renderArrayLiteral([schema])] : [],
    result: 'outcome',
    bodyFormat: 'text',
  };
}
