import { classifyError, type ErrorClass } from './error-codes.ts';

const classesOfUnknownOperations: ReadonlySet<ErrorClass> = new Set(['unknownOperation', 'malformedAnswer']);

/** How an emulator answers that does not know an operation: with a code, or with a page. */
export const isUnknownOperation = (error: unknown): boolean => classesOfUnknownOperations.has(classifyError(error));
