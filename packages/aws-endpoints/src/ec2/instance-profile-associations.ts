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

export const noSuchAssociation = (id: string): AwsError =>
  new AwsError('InvalidAssociationID.NotFound', `An invalid association-id of '${id}' was given`);

/** An instance has one association at most. Each one has an id of its own. */
export const listProfileAssociations = (ec2: Ec2): readonly IamInstanceProfileAssociation[] =>
  ec2.instances
    .allDescribed()
    .filter(({ state }) => state !== 'terminated')
    .flatMap((instance): IamInstanceProfileAssociation[] => {
      const { InstanceId = '', IamInstanceProfile } = writeInstance(ec2, instance);
      const number = instance.changed?.profile?.number;
      const AssociationId = derivedId('iip-assoc', InstanceId, ...(number === undefined ? [] : [number]));
      return IamInstanceProfile === undefined
        ? []
        : [{ AssociationId, InstanceId, IamInstanceProfile, State: 'associated' }];
    });

/** Lists which instance has which instance profile. */
export function describeProfileAssociations(
  ec2: Ec2,
  request: DescribeIamInstanceProfileAssociationsRequest,
): DescribeIamInstanceProfileAssociationsResult {
  const { AssociationIds: ids = [] } = request;
  const all = listProfileAssociations(ec2);
  const missing = ids.find((id) => !all.some(({ AssociationId }) => AssociationId === id));
  if (missing !== undefined) throw noSuchAssociation(missing);
  const asked = all.filter(({ AssociationId = '' }) => ids.length === 0 || ids.includes(AssociationId));
  const filterable = { records: { write: (each: object) => each, paths: associationPaths }, attributes: {} };
  const found = applyFilters(asked, request.Filters, filterable);
  const { items, next } = takePage(found, { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken });
  return { IamInstanceProfileAssociations: [...items], ...(next && { NextToken: next }) };
}
