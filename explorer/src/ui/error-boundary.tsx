// Shows a notice in place of a part that throws while rendering. Without it, one such part would blank the whole page.
import { Component, type ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

export interface ErrorBoundaryProps {
  /** Renders the part again when it changes. */
  readonly place: string;
  /** A way to go on elsewhere. */
  readonly wayOn?: ComponentChildren;
  readonly children: ComponentChildren;
}

interface State {
  readonly place: string | undefined;
  /** What was thrown; undefined if nothing was. */
  readonly failure: Error | undefined;
}

export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { place: undefined, failure: undefined };

  static override getDerivedStateFromError(thrown: unknown): Partial<State> {
    return { failure: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  static override getDerivedStateFromProps({ place }: ErrorBoundaryProps, state: State): State | null {
    return place === state.place ? null : { place, failure: undefined };
  }

  /** The console names the place in the code. */
  override componentDidCatch(thrown: unknown): void {
    console.error(thrown);
  }

  override render({ wayOn, children }: ErrorBoundaryProps, { failure }: State): ComponentChildren {
    if (failure === undefined) return children;
    const retry = (): void => this.setState({ failure: undefined });
    return (
      <div class="ui-failure">
        <Notice
          tone="danger"
          title="This part of the page failed, because of an error in the explorer."
          hint="Try again, or go on elsewhere. The console of the browser has the details."
          action={
            <>
              <Button icon="refresh" onClick={retry}>
                Try again
              </Button>
              {wayOn}
            </>
          }
        >
          <bdi>{failure.message}</bdi>
        </Notice>
      </div>
    );
  }
}
