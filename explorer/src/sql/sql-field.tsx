// The field of the SQL page.
import type { RefObject, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Signal } from '@preact/signals';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { completeSql } from './complete-sql.ts';
import { createSqlEditor, type SqlEditor } from './sql-editor.ts';

interface SqlFieldProps {
  readonly schema: SchemaIndex;
  readonly draft: Signal<string>;
  readonly editor: RefObject<SqlEditor | null>;
  readonly onRun: () => void;
}

export function SqlField({ schema, draft, editor, onRun }: SqlFieldProps): VNode {
  const host = useRef<HTMLDivElement>(null);
  /** What the editor calls, of the last rendering. */
  const latest = useRef({ schema, onRun });
  latest.current = { schema, onRun };
  useEffect(() => {
    if (host.current === null) return undefined;
    const created = createSqlEditor({
      host: host.current,
      text: draft.peek(),
      complete: (text, offset) => completeSql(text, offset, latest.current.schema),
      onChange: (text) => (draft.value = text),
      onRun: () => latest.current.onRun(),
    });
    editor.current = created;
    return () => {
      editor.current = null;
      created.destroy();
    };
  }, [draft, editor]);
  return <div class="sql-field" ref={host} />;
}
