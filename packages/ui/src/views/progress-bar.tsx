import { ExplainLink } from '../parts/explain-link.tsx';

type ProgressProps = {
  readonly total: number;
  readonly updated: number;
  readonly failed: number;
  /** The same in words. */
  readonly words: string;
  /** What the numbers rest on. */
  readonly explain?: string;
};

/** How many nodes have the new image, of all. */
export function ProgressBar({ total, updated, failed, words, explain }: ProgressProps) {
  const scale = (count: number): number => (total === 0 ? 0 : (count / total) * 100);
  return (
    <figure class="progress">
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={words}>
        <rect class="track" width="100" height="6" />
        <rect class="fill" width={scale(updated)} height="6" />
        <rect class="failed" x={scale(updated)} width={scale(failed)} height="6" />
      </svg>
      <figcaption>{explain === undefined ? words : <ExplainLink path={explain}>{words}</ExplainLink>}</figcaption>
    </figure>
  );
}
