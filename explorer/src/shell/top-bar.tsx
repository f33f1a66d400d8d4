// The top bar: the current request, and buttons for the sides.
import type { VNode } from 'preact';
import { RequestBar } from '../request-bar/request-bar.tsx';
import type { Store } from '../store/store.ts';
import { TokenButton } from '../tokens/token-button.tsx';
import { Brand } from '../ui/brand.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { useMedia } from '../ui/use-media.ts';
import { renderPlace } from '../url-state/place.ts';
import type { PageState } from './page-state.ts';

export function TopBar({ store, page }: { readonly store: Store; readonly page: PageState }): VNode | null {
  const place = store.place.value;
  const isRequest = place.kind === 'request';
  const hasBar = isRequest || place.kind === 'start';
  const isNarrow = useMedia('(max-width: 520px)');
  const toggleBuilder = (): void => void (page.isBuilderOpen.value = !page.isBuilderOpen.value);
  if (!hasBar && !page.isSideDrawer) return null;
  return (
    <header class="shell-top">
      {page.isSideDrawer ? (
        <>
          <IconButton icon="menu" label="Tables and functions" onClick={() => (page.isSideOpen.value = true)} />
          {isNarrow && isRequest ? null : (
            <a class="shell-brand" href={renderPlace({ kind: 'start', schema: place.schema })}>
              <Brand />
            </a>
          )}
          <TokenButton
            store={store}
            size={isNarrow && isRequest ? 'icon' : 'compact'}
            onOpen={() => (page.isTokenOpen.value = true)}
          />
        </>
      ) : null}
      {hasBar ? (
        <div class="shell-request">
          <RequestBar store={store} />
        </div>
      ) : null}
      {!isRequest ? null : isNarrow ? (
        <IconButton
          class="shell-builder-button"
          icon="builder"
          label="Builder"
          aria-pressed={page.isBuilderOpen.value}
          onClick={toggleBuilder}
        />
      ) : (
        <Button
          class="shell-builder-button"
          icon="builder"
          title="Show or hide the builder (b)"
          aria-pressed={page.isBuilderOpen.value}
          onClick={toggleBuilder}
        >
          Builder
        </Button>
      )}
    </header>
  );
}
