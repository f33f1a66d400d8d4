// Global keyboard shortcuts.
import { useEffect } from 'preact/hooks';
import { undoLatest } from '../forms/undo.ts';
import type { Store } from '../store/store.ts';
import type { PageState } from './page-state.ts';
import { shortcutOf, type Shortcut } from './shortcut.ts';

const SEARCH = '.side-search input';

export function useShortcuts(store: Store, page: PageState): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const shortcut = shortcutOf(event, takesKeys(event.composedPath()));
      if (shortcut === undefined) return;
      event.preventDefault();
      follow(shortcut, store, page);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [store, page.isSideDrawer]);
}

function follow(shortcut: Shortcut, store: Store, page: PageState): void {
  switch (shortcut) {
    case 'keys':
      page.help.value = 'keys';
      return;
    case 'search':
      focusOnSearch(page);
      return;
    case 'url':
      focusOnRequest();
      return;
    case 'builder':
      page.isBuilderOpen.value = !page.isBuilderOpen.value;
      return;
    case 'map':
      store.go({ kind: 'map', schema: store.place.value.schema, focus: undefined });
      return;
    case 'again':
      store.run();
      return;
    case 'undo':
      void undoLatest(store);
      return;
    case 'cancel':
      store.cancel();
  }
}

/** Waits for a drawer to be rendered. */
function focusOnSearch(page: PageState): void {
  const focus = (): void => document.querySelector<HTMLElement>(SEARCH)?.focus();
  page.isSideOpen.value = page.isSideDrawer;
  if (page.isSideDrawer) requestAnimationFrame(focus);
  else focus();
}

/** Handles an editor in a shadow tree. */
function focusOnRequest(): void {
  const isEditor = '[contenteditable="true"], textarea, input';
  const bar = document.querySelector('.shell-request');
  const roots = [...(bar?.querySelectorAll('*') ?? [])].flatMap((element) => element.shadowRoot ?? []);
  const editor = [bar, ...roots].map((root) => root?.querySelector<HTMLElement>(isEditor)).find((one) => one);
  editor?.focus();
}

/** Returns whether the focus is in an input, an editor (even in a shadow tree), a dialog or an open menu. */
function takesKeys(path: readonly EventTarget[]): boolean {
  return path.some(
    (target) =>
      target instanceof HTMLElement &&
      (target.isContentEditable || target.matches('input, textarea, select, dialog, [role="menu"], [role="listbox"]')),
  );
}
