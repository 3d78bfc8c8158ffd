import type { DashboardSection } from '@nodewright/dashboard/rows';
import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { hiddenContext } from './page-context.ts';

type ShownProps = {
  readonly section: DashboardSection;
  /** What is left out of the page without it, such as `Blockers`. */
  readonly name: string;
  readonly children?: ComponentChildren;
};

/** Draws what the reader may see. What is empty for want of rights may not be empty in the cluster: it says so in its place. */
export function IfShown({ section, name, children }: ShownProps) {
  const missing = useContext(hiddenContext)[section];
  if (missing === undefined) return <>{children}</>;
  return (
    <p class="warning">
      {name} are not shown to you. You would need the right to list{' '}
      {missing.map((kind, index) => (
        <span key={kind}>
          {index === 0 ? '' : ', '}
          <code>{kind}</code>
        </span>
      ))}{' '}
      in the whole cluster.
    </p>
  );
}
