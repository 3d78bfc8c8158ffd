/** A share as a bar and as a number. */
export function UseBar({ percent }: { readonly percent: number }) {
  return (
    <span class="use-bar">
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="10" />
        <rect class="fill" width={Math.min(100, percent)} height="10" />
      </svg>
      {percent}%
    </span>
  );
}
