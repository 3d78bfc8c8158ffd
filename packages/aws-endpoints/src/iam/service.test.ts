import {
  AddRoleToInstanceProfileCommand,
  CreateInstanceProfileCommand,
  DeleteInstanceProfileCommand,
  GetInstanceProfileCommand,
  GetRoleCommand,
  IAMClient,
  ListInstanceProfilesCommand,
  RemoveRoleFromInstanceProfileCommand,
} from '@aws-sdk/client-iam';
import { expect, test } from 'vitest';
import { inProcess, aTestAccount } from '@nodewright/testkit/worlds';

const InstanceProfileName = 'my-cluster_1234';
const RoleName = 'karpenterNodeRole-my-cluster';
const path = '/karpenter/us-east-1/my-cluster/uid/';

async function aProfile() {
  const iam = new IAMClient(inProcess(aTestAccount().aws.handle));
  const Tags = [{ Key: 'eks:eks-cluster-name', Value: 'my-cluster' }];
  await iam.send(new CreateInstanceProfileCommand({ InstanceProfileName, Path: path, Tags }));
  return iam;
}

test('both node roles of the cluster exist', async () => {
  const iam = await aProfile();
  for (const name of [RoleName, 'KarpenterNodeRole-my-cluster']) {
    const { Role } = await iam.send(new GetRoleCommand({ RoleName: name }));
    expect(Role?.Arn).toBe(`arn:aws:iam::111122223333:role/${name}`);
  }
});

test('a profile gets its role, is found below its path, and goes only without its role', async () => {
  const iam = await aProfile();
  await iam.send(new AddRoleToInstanceProfileCommand({ InstanceProfileName, RoleName }));
  const { InstanceProfiles } = await iam.send(new ListInstanceProfilesCommand({ PathPrefix: '/karpenter/us-east-1/' }));
  expect(InstanceProfiles).toMatchObject([
    {
      InstanceProfileName,
      Arn: `arn:aws:iam::111122223333:instance-profile${path}${InstanceProfileName}`,
      Roles: [{ RoleName }],
      Tags: [{ Key: 'eks:eks-cluster-name', Value: 'my-cluster' }],
    },
  ]);
  const remove = new DeleteInstanceProfileCommand({ InstanceProfileName });
  await expect(iam.send(remove)).rejects.toMatchObject({ name: 'DeleteConflictException' });
  await iam.send(new RemoveRoleFromInstanceProfileCommand({ InstanceProfileName, RoleName }));
  await iam.send(remove);
  await expect(iam.send(new GetInstanceProfileCommand({ InstanceProfileName }))).rejects.toMatchObject({
    name: 'NoSuchEntityException',
    message: `Instance Profile ${InstanceProfileName} cannot be found.`,
    $metadata: { httpStatusCode: 404 },
  });
});

test('a profile cannot be made twice, nor hold a role that does not exist', async () => {
  const iam = await aProfile();
  await expect(iam.send(new CreateInstanceProfileCommand({ InstanceProfileName }))).rejects.toMatchObject({
    name: 'EntityAlreadyExistsException',
  });
  const add = new AddRoleToInstanceProfileCommand({ InstanceProfileName, RoleName: 'none' });
  await expect(iam.send(add)).rejects.toMatchObject({
    name: 'NoSuchEntityException',
    message: 'The role with name none cannot be found.',
  });
});
