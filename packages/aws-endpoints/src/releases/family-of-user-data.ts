import type { ImageRelease } from './release.ts';

/** Which family's nodes read such user data: what a machine is taken for whose image tells nothing of itself. */
export function familyOfUserData(userData: string): ImageRelease['family'] {
  if (/^\s*\[settings/m.test(userData)) return 'Bottlerocket';
  if (userData.includes('/etc/eks/bootstrap.sh')) return 'AL2';
  return /<powershell>/i.test(userData) ? 'Windows2022' : 'AL2023';
}
