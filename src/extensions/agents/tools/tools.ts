// The tools, in the order in which they are listed.
import type { AppConfig } from '../../../config/table/app-config.ts';
import type { Tool } from '../calls/tool.ts';
import { CALL_FUNCTION } from './call-function.ts';
import { DESCRIBE_RELATION } from './describe-relation.ts';
import { LIST_RELATIONS } from './list-relations.ts';
import { READ_ROWS } from './read-rows.ts';
import { DELETE_ROWS, INSERT_ROWS, UPDATE_ROWS } from './write-rows.ts';

const TOOLS: readonly Tool[] = [
  LIST_RELATIONS,
  DESCRIBE_RELATION,
  READ_ROWS,
  CALL_FUNCTION,
  INSERT_ROWS,
  UPDATE_ROWS,
  DELETE_ROWS,
];

export function listTools({ mcpWrites }: Pick<AppConfig, 'mcpWrites'>): readonly Tool[] {
  return mcpWrites ? TOOLS : TOOLS.filter(({ requiresWrites }) => !requiresWrites);
}
