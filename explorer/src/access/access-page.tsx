// The page about which role may do what in a schema.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { AccessDocument } from '../../../src/contract/access-document.ts';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { PageHead } from '../ui/page.tsx';
import type { Place } from '../url-state/place.ts';
import { AccessGate } from './access-gate.tsx';
import { AccessMatrix } from './access-matrix.tsx';
import { CellDrawer, type OpenedCell } from './cell-drawer.tsx';
import { chooseRoles, RoleChoice } from './role-choice.tsx';
import { schemaOf } from '../store/use-access.ts';

export interface AccessPageProps {
  readonly store: Store;
  readonly place: Extract<Place, { kind: 'access' }>;
}

/** Rows beyond these are found by searching. */
const MAX_ROWS = 150;

export function AccessPage({ store, place }: AccessPageProps): VNode {
  const [version, setVersion] = useState(0);
  return (
    <article class="ui-page access">
      <PageHead kind={`Schema ${schemaOf(store) ?? ''}`} title="Access of roles">
        <Button size="small" icon="refresh" onClick={() => setVersion(version + 1)}>
          Refresh
        </Button>
      </PageHead>
      <AccessGate {...{ store, version }}>{(document) => <Loaded {...{ document, place }} />}</AccessGate>
    </article>
  );
}

function Loaded({ document, place }: Pick<AccessPageProps, 'place'> & { readonly document: AccessDocument }): VNode {
  const [typed, setTyped] = useState(place.focus ?? '');
  const [chosen, setChosen] = useState(() => chooseRoles(document));
  const [opened, setOpened] = useState<OpenedCell | undefined>(undefined);
  const isFound = ({ name }: { readonly name: string }): boolean => name.toLowerCase().includes(typed.toLowerCase());
  const relations = document.relations.filter(isFound);
  const functions = document.functions.filter(isFound);
  const hidden = Math.max(0, relations.length - MAX_ROWS) + Math.max(0, functions.length - MAX_ROWS);
  return (
    <>
      <p class="access-about">
        What each role of the API may do. <b>all</b>: all rows. <b>rows</b>: those that policies allow. <b>cols</b>:
        only some columns. <b>never</b>: no role can, as with most views. Click a cell for the reasons, and for the SQL
        that would change it.
      </p>
      <div class="access-controls">
        <TextField label="Filter tables and functions" type="search" value={typed} onValue={setTyped} />
        <RoleChoice roles={document.roles} {...{ chosen }} onChoose={setChosen} />
      </div>
      <AccessMatrix
        document={document}
        roles={document.roles.filter(({ name }) => chosen.has(name))}
        relations={relations.slice(0, MAX_ROWS)}
        functions={functions.slice(0, MAX_ROWS)}
        onOpen={setOpened}
      />
      <p role="status" class="access-note">
        {relations.length + functions.length === 0 ? 'No matches.' : null}
        {hidden > 0 ? `${hidden} more. Search to find them.` : null}
      </p>
      {opened === undefined ? null : (
        <CellDrawer {...{ opened }} placeSchema={place.schema} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}
