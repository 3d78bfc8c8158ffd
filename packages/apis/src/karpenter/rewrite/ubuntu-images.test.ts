import { expect, test } from 'vitest';
import { ubuntuImageTerms } from './ubuntu-images.ts';

const path = '/aws/service/canonical/ubuntu/eks';

test.each([
  ['Ubuntu', '1.25', `${path}/20.04/1.25/stable/current`, 'ebs-gp2'],
  ['Ubuntu-v20221208', '1.25', `${path}/20.04/1.25/stable/20221208`, 'ebs-gp2'],
  ['Ubuntu', '1.32', `${path}/20.04/1.32/stable/current`, 'ebs-gp2'],
  ['Ubuntu', '1.33', `${path}/24.04/1.33/stable/current`, 'ebs-gp3'],
])('%s for Kubernetes %s is below %s', (family, version, parameter, volume) => {
  expect(ubuntuImageTerms(family, version)).toEqual([
    { ssmParameter: `${parameter}/amd64/hvm/${volume}/ami-id` },
    { ssmParameter: `${parameter}/arm64/hvm/${volume}/ami-id` },
  ]);
});
