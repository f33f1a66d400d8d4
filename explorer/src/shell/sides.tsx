// The sides of the page: columns next to the response, or drawers in a narrow window.
import type { VNode } from 'preact';
import type { Builder } from '../builder/builder.tsx';
import type { Store } from '../store/store.ts';
import { Deferred } from '../ui/deferred.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { PageState } from './page-state.ts';
import { Sidebar } from './sidebar.tsx';

interface SideProps {
  readonly store: Store;
  readonly page: PageState;
}

export function LeftSide({ store, page }: SideProps): VNode {
  const close = (): void => {
    page.isSideOpen.value = false;
  };
  const sidebar = (
    <Sidebar
      store={store}
      onOpenToken={() => {
        close();
        page.isTokenOpen.value = true;
      }}
      onOpenHelp={() => {
        close();
        page.help.value = 'grammar';
      }}
      onVisit={close}
    />
  );
  if (!page.isSideDrawer) {
    return (
      <aside class="shell-side" aria-label="Tables and functions">
        {sidebar}
      </aside>
    );
  }
  return (
    <Dialog title="Tables and functions" placement="left" width="narrow" isOpen={page.isSideOpen.value} onClose={close}>
      <div class="shell-drawer">{sidebar}</div>
    </Dialog>
  );
}

async function loadBuilder(): Promise<typeof Builder> {
  return (await import('../builder/builder.tsx')).Builder;
}

export function BuilderSide({ store, page }: SideProps): VNode | null {
  if (!page.isBuilderOpen.value) return null;
  const builder = <Deferred load={loadBuilder} props={{ store }} />;
  if (!page.isBuilderDrawer) {
    return (
      <aside class="shell-builder" aria-label="Builder">
        {builder}
      </aside>
    );
  }
  return (
    <Dialog title="Builder" placement="right" width="narrow" isOpen onClose={() => (page.isBuilderOpen.value = false)}>
      <div class="shell-drawer">{builder}</div>
    </Dialog>
  );
}
