import { expect, test } from 'vitest';
import { answerConversionReview } from './conversion-review.ts';

const pool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default', uid: 'u', resourceVersion: '7' },
  spec: {
    disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' },
    template: {
      spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'a' }, requirements: [] },
    },
  },
};

const aReview = (desiredAPIVersion: string, objects: readonly unknown[]) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'ConversionReview',
  request: { uid: 'asked', desiredAPIVersion, objects },
});

test('every object is converted, in the order of the question', () => {
  const second = { ...pool, metadata: { name: 'second' } };
  const response = answerConversionReview(aReview('karpenter.sh/v1beta1', [pool, second]))?.response;
  expect(response).toMatchObject({ uid: 'asked', result: { status: 'Success' } });
  expect(response?.convertedObjects).toMatchObject([
    { apiVersion: 'karpenter.sh/v1beta1', metadata: { name: 'default', uid: 'u', resourceVersion: '7' } },
    { apiVersion: 'karpenter.sh/v1beta1', metadata: { name: 'second' } },
  ]);
});

test('an object that cannot be converted fails the whole review, with the reason', () => {
  const foreign = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
  expect(answerConversionReview(aReview('karpenter.sh/v1beta1', [pool, foreign]))?.response).toMatchObject({
    uid: 'asked',
    result: {
      status: 'Failed',
      message: expect.stringMatching(/^"Pod karpenter.sh\/v1beta1" is not one of /) as string,
    },
    convertedObjects: [],
  });
  const broken = { ...pool, spec: { disruption: null } };
  expect(answerConversionReview(aReview('karpenter.sh/v1beta1', [broken]))?.response.result.status).toBe('Failed');
});

test.each([
  undefined,
  null,
  'text',
  [],
  {},
  { ...aReview('karpenter.sh/v1', [pool]), apiVersion: 'apiextensions.k8s.io/v1beta1' },
  { ...aReview('karpenter.sh/v1', [pool]), kind: 'AdmissionReview' },
  { ...aReview('karpenter.sh/v1', [pool]), request: { uid: 'u' } },
  { ...aReview('karpenter.sh/v1', [pool]), request: { desiredAPIVersion: 'karpenter.sh/v1', objects: [pool] } },
  { ...aReview('karpenter.sh/v1', [pool]), request: { uid: 'u', objects: [pool] } },
  { ...aReview('karpenter.sh/v1', [pool]), request: { uid: 'u', desiredAPIVersion: 'karpenter.sh/v1', objects: pool } },
  aReview('karpenter.sh/v1', ['text']),
  aReview('karpenter.sh/v1', [pool, 'text']),
])('what is no review is answered with nothing: %j', (review) => {
  expect(answerConversionReview(review)).toBeUndefined();
});
