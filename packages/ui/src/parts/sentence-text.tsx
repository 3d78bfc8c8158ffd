import { splitTimes } from './split-times.ts';
import { TimeText } from './time-text.tsx';

/** A sentence of the controller, with its times in the zone of the reader. */
export const SentenceText = ({ text }: { readonly text: string }) => (
  <>{splitTimes(text).map((part) => (part.isTime ? <TimeText key={part.at} at={part.text} /> : part.text))}</>
);
