import { useRef, useState } from 'preact/hooks';
import { SentenceText } from './sentence-text.tsx';
import { useMeasurement } from './use-measurement.ts';

/** A sentence of which a few lines are shown; a button shows the rest where there is more. */
export function LongSentence({ text }: { readonly text: string }) {
  const lines = useRef<HTMLParagraphElement>(null);
  const [isWhole, setWhole] = useState(false);
  const hidden = useMeasurement(lines, measureHiddenHeight) ?? 0;
  return (
    <>
      <p class={isWhole ? 'why' : 'why brief'} ref={lines}>
        <SentenceText text={text} />
      </p>
      {(isWhole || hidden > 0) && (
        <p class="more">
          <button type="button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show less' : 'Show all of it'}
          </button>
        </p>
      )}
    </>
  );
}

const measureHiddenHeight = (element: Element): number => element.scrollHeight - element.clientHeight;
