// The rows of the page. The server keeps them current, and sends only what its policies let this person see.
import { connect } from '@rowhouse/live';
import { rowhouseCollectionOptions } from '@rowhouse/tanstack-db';
import { createCollection } from '@tanstack/react-db';
import type { Tables } from './database.ts';
import { renew } from './session.ts';

/** One connection for all reads of the page. It opens with the first one. */
export const live = connect({ url: '/api', token: renew });

export const lists = createCollection(rowhouseCollectionOptions<Tables<'lists'>, string>({ live, path: '/lists' }));

export const tasks = createCollection(rowhouseCollectionOptions<Tables<'tasks'>, string>({ live, path: '/tasks' }));

export const members = createCollection(
  rowhouseCollectionOptions<Tables<'members'>, string>({
    live,
    path: '/members',
    getKey: ({ list_id, person }) => `${list_id} ${person}`,
  }),
);

// When Vite replaces this module, the old connection ends.
import.meta.hot?.dispose(() => live.close());
