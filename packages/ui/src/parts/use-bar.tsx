/** A share as a bar and as a number. */
export function UseBar({ percent }: { readonly percent: number | undefined }) {
  if (percent === undefined) return <>–</>;
  return (
    <span class="use-bar">
      <span aria-hidden="true" style={{ '--share': `${Math.min(100, percent)}%` }} />
      {percent}%
    </span>
  );
}
