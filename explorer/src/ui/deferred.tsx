// A component that loads on first use, for large parts that most visits do not need.
import { useEffect, useState } from 'preact/hooks';
import type { ComponentType, VNode } from 'preact';
import { Notice } from './notice.tsx';
import { Spinner } from './text.tsx';

export interface DeferredProps<Props> {
  readonly load: () => Promise<ComponentType<Props>>;
  readonly props: Props & object;
}

type State<Props> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'ready'; readonly component: ComponentType<Props> };

export function Deferred<Props>({ load, props }: DeferredProps<Props>): VNode {
  const [state, setState] = useState<State<Props>>({ kind: 'loading' });
  useEffect(() => {
    load().then(
      (component) => setState({ kind: 'ready', component }),
      () => setState({ kind: 'failed' }),
    );
  }, [load]);
  if (state.kind === 'ready') return <state.component {...props} />;
  if (state.kind === 'loading') return <Spinner />;
  return <Notice tone="danger" title="Part of the page could not be loaded." hint="Reload the page." />;
}
