import type {
  DescribeIamInstanceProfileAssociationsRequest,
  DescribeIamInstanceProfileAssociationsResult,
  IamInstanceProfileAssociation,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import { derivedId } from './derived-ids.ts';
import { ec2BadToken } from './errors.ts';
import { applyFilters } from './filters.ts';
import { writeInstance } from './instance-on-the-wire.ts';
import type { Ec2 } from './model.ts';
import { parseRecordPaths } from './record-paths.ts';

const associationPaths = parseRecordPaths(`
  instance-id InstanceId
  state State
`);

/** Lists which instance has which instance profile. */
export function describeProfileAssociations(
  ec2: Ec2,
  request: DescribeIamInstanceProfileAssociationsRequest,
): DescribeIamInstanceProfileAssociationsResult {
  const { AssociationIds: ids = [] } = request;
  const all = ec2.instances
    .allDescribed()
    .filter(({ state }) => state !== 'terminated')
    .map((instance) => writeInstance(ec2, instance))
    .flatMap(({ InstanceId = '', IamInstanceProfile }): IamInstanceProfileAssociation[] =>
      IamInstanceProfile === undefined
        ? []
        : [{ AssociationId: derivedId('iip-assoc', InstanceId), InstanceId, IamInstanceProfile, State: 'associated' }],
    );
  const missing = ids.find((id) => !all.some(({ AssociationId }) => AssociationId === id));
  if (missing !== undefined)
    throw new AwsError('InvalidAssociationID.NotFound', `An invalid association-id of '${missing}' was given`);
  const asked = all.filter(({ AssociationId = '' }) => ids.length === 0 || ids.includes(AssociationId));
  const filterable = { records: { write: (each: object) => each, paths: associationPaths }, attributes: {} };
  const found = applyFilters(asked, request.Filters, filterable);
  const { items, next } = takePage(found, { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });
  return { IamInstanceProfileAssociations: [...items], ...(next && { NextToken: next }) };
}
