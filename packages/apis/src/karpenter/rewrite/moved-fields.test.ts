import { expect, test } from 'vitest';
import { movedFields } from './moved-fields.ts';

test('fields that stand elsewhere in v1, by the kind that they were in', () => {
  expect(movedFields('NodeClaim')).toEqual(new Map([['spec.nodeClassRef.group', ['spec.nodeClassRef.apiVersion']]]));
  expect(movedFields('Deployment')).toEqual(new Map());
});
