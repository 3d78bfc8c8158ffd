import { unreadableCode } from './unreadable-answer.ts';

/** What emulators answer that do not know an operation. */
export const unknownOperations: ReadonlySet<string> = new Set([
  'InvalidAction',
  'NotImplemented',
  'UnknownOperationException',
  'UnsupportedOperation',
  unreadableCode,
]);
