import type { CertificateAuthority, CertificateNames, CertificateValidity, KeyPair } from './x509-authority.ts';

const namesOfCluster: CertificateNames = { authority: 'kubernetes', server: 'kube-apiserver' };

/**
 * Creates an authority, or restores a stored one. What it issues is valid as `validity` says. The function uses webcrypto, which leaves the promise queue, so call
 * it before virtual time runs. The library that writes certificates is loaded here, because a cluster without sockets needs none.
 */
export async function certificateAuthority(
  validity: CertificateValidity,
  stored?: KeyPair,
  names = namesOfCluster,
): Promise<CertificateAuthority> {
  const { createX509Authority } = await import('./x509-authority.ts');
  return createX509Authority(validity, stored, names);
}
