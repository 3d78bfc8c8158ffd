import type { Ec2Instance } from './instance.ts';
import { interfacesOfInstance, listInterfaceIds } from './launched-interfaces.ts';
import type { OwnInterface } from './own-interfaces.ts';

/** Lists what becomes of the interfaces of an instance that do not end with it. The primary one keeps the address. */
export function listStayingInterfaces(instance: Ec2Instance): readonly OwnInterface[] {
  const { settings, changed, privateIp, launchedAt } = instance;
  const ids = listInterfaceIds(instance);
  return interfacesOfInstance(settings).flatMap(({ staysAfterEnd, type, description = '' }, at) =>
    staysAfterEnd === true
      ? {
          id: ids[at] ?? '',
          subnetId: settings.subnetId,
          type,
          description,
          securityGroupIds: changed?.securityGroupIds ?? settings.securityGroupIds,
          privateIps: at === 0 ? [privateIp] : [],
          sourceDestCheck: changed?.sourceDestCheck ?? true,
          createdAt: launchedAt,
        }
      : [],
  );
}
