import { expect, test } from 'vitest';
import { partitionOfRegion } from './aws-partition.ts';

test.each([
  ['us-east-1', 'aws', 'amazonaws.com'],
  ['eu-central-1', 'aws', 'amazonaws.com'],
  ['eu-isoe-west-1', 'aws-iso-e', 'cloud.adc-e.uk'],
  ['cn-north-1', 'aws-cn', 'amazonaws.com.cn'],
  ['us-gov-west-1', 'aws-us-gov', 'amazonaws.com'],
  ['us-iso-east-1', 'aws-iso', 'c2s.ic.gov'],
  ['us-isob-east-1', 'aws-iso-b', 'sc2s.sgov.gov'],
  ['us-isof-south-1', 'aws-iso-f', 'csp.hci.ic.gov'],
  ['eusc-de-east-1', 'aws-eusc', 'amazonaws.eu'],
  ['', 'aws', 'amazonaws.com'],
])('%s is in %s', (region, name, dnsSuffix) => {
  expect(partitionOfRegion(region)).toMatchObject({ name, dnsSuffix });
});
