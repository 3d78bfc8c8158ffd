import { type DashboardPart, describeMissingRights } from '@nodewright/dashboard/rows';
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { LongSentence } from './long-sentence.tsx';
import { hiddenContext } from './page-context.ts';

type ShownProps = {
  readonly part: DashboardPart;
  /** What is left out of the page without it, such as `Blockers are`. */
  readonly what: string;
  readonly children?: ComponentChildren;
};

/** Draws what the reader may see. What is empty for want of rights may not be empty in the cluster: it says so in its place. */
export function IfShown({ part, what, children }: ShownProps) {
  const missing = useContext(hiddenContext)[part];
  if (missing === undefined) return <>{children}</>;
  return (
    <div class="warning">
      <LongSentence text={`${what} not shown to you. You would need ${describeMissingRights(missing)}.`} />
    </div>
  );
}
