import type { Random } from '@nodewright/runtime';

/** What may go wrong with one operation. `short`: a write takes half. `power`: everything ends here. */
export type DiskFault = 'short' | 'EIO' | 'ENOSPC' | 'power';

type Operation = 'open' | 'read' | 'write' | 'truncate' | 'sync' | 'rename' | 'remove' | 'syncFolder';

/** What reaches the disk together, or does not. */
const pageBytes = 64;

/** A file: what a reader sees now, what a power loss leaves for certain, and the writes that it may lose. */
type Inode = { seen: Buffer; durable: Buffer; unsynced: { readonly offset: number; readonly bytes: Buffer }[] };
type Naming = { readonly name: string; readonly inode: Inode | undefined };

/**
 * A file system in memory that fails when it is told to, and that can lose what was not synced. It has the methods of
 * the file system that the CLI keeps the state of a sandbox in.
 */
export class FaultyFileSystem {
  /** Which fault the next operation has; none unless a test says so. */
  fault: (operation: Operation, path: string) => DiskFault | undefined = () => undefined;
  /** How many bytes all files may have together. */
  capacity = Number.POSITIVE_INFINITY;
  /** Whether the power is off: nothing works any more. */
  isOff = false;
  #names = new Map<string, Inode>();
  #durableNames = new Map<string, Inode>();
  #namings: Naming[] = [];
  readonly #open = new Map<number, { readonly path: string; readonly inode: Inode }>();
  #lastFile = 0;

  exists(path: string): boolean {
    return this.#names.has(path);
  }

  open(path: string, how: 'read' | 'new'): number {
    this.#mayFail('open', path);
    const inode = this.#names.get(path) ?? { seen: Buffer.alloc(0), durable: Buffer.alloc(0), unsynced: [] };
    if (how === 'read' && !this.#names.has(path)) throw errorOf('ENOENT', 'open');
    if (how === 'new') Object.assign(inode, { seen: Buffer.alloc(0), durable: Buffer.alloc(0), unsynced: [] });
    this.#name(path, inode);
    this.#lastFile += 1;
    this.#open.set(this.#lastFile, { path, inode });
    return this.#lastFile;
  }

  read(file: number, into: Uint8Array, offset: number): number {
    const { path, inode } = this.#opened(file);
    this.#mayFail('read', path);
    return inode.seen.copy(into, 0, offset);
  }

  write(file: number, bytes: Uint8Array, offset: number): number {
    const { path, inode } = this.#opened(file);
    const fault = this.#faultOf('write', path);
    const fits = Math.max(0, this.capacity - this.#used() + inode.seen.length - offset);
    const count = Math.min(fits, fault === undefined ? bytes.length : Math.ceil(bytes.length / 2));
    if (fault === 'EIO' || fault === 'ENOSPC') throw errorOf(fault, 'write');
    if (count === 0 && bytes.length > 0) throw errorOf('ENOSPC', 'write');
    const written = Buffer.from(bytes.subarray(0, count));
    inode.unsynced.push({ offset, bytes: written });
    inode.seen = withBytes(inode.seen, written, offset);
    if (fault === 'power') this.#turnOff('write');
    return count;
  }

  truncate(file: number, size: number): void {
    const { path, inode } = this.#opened(file);
    this.#mayFail('truncate', path);
    inode.seen = inode.seen.subarray(0, size);
  }

  /** A sync that fails leaves it open what is on the disk. */
  sync(file: number): void {
    const { path, inode } = this.#opened(file);
    this.#mayFail('sync', path);
    Object.assign(inode, { durable: inode.seen, unsynced: [] });
  }

  async syncLater(file: number): Promise<void> {
    this.sync(file);
  }

  close(file: number): void {
    this.#open.delete(file);
  }

  rename(from: string, to: string): void {
    this.#mayFail('rename', to);
    const inode = this.#names.get(from);
    if (inode === undefined) throw errorOf('ENOENT', 'rename');
    this.#name(to, inode);
    this.#name(from, undefined);
  }

  remove(path: string): void {
    this.#mayFail('remove', path);
    this.#name(path, undefined);
  }

  syncFolder(path: string): void {
    this.#mayFail('syncFolder', path);
    this.#durableNames = new Map(this.#names);
    this.#namings = [];
  }

  /** As the process leaves it that is killed. */
  afterKill(): FaultyFileSystem {
    const left = new FaultyFileSystem();
    for (const [name, { seen }] of this.#names) left.#put(name, seen);
    return left;
  }

  /** As a power loss leaves it: names change in order, pages in any order. */
  afterPowerLoss(random: Random): FaultyFileSystem {
    const left = new FaultyFileSystem();
    const names = new Map(this.#durableNames);
    for (const naming of this.#namings.slice(0, random.integer(this.#namings.length + 1))) applyNaming(names, naming);
    for (const [name, inode] of names) left.#put(name, someOf(inode, random));
    return left;
  }

  #put(name: string, content: Buffer): void {
    this.#names.set(name, { seen: content, durable: content, unsynced: [] });
  }

  #name(name: string, inode: Inode | undefined): void {
    if (this.#names.get(name) === inode) return;
    applyNaming(this.#names, { name, inode });
    this.#namings.push({ name, inode });
  }

  #used(): number {
    const inodes = new Set([...this.#names.values(), ...[...this.#open.values()].map(({ inode }) => inode)]);
    return [...inodes].reduce((sum, { seen }) => sum + seen.length, 0);
  }

  #opened(file: number): { readonly path: string; readonly inode: Inode } {
    const opened = this.#open.get(file);
    if (opened === undefined) throw errorOf('EBADF', 'write');
    return opened;
  }

  #mayFail(operation: Operation, path: string): void {
    const fault = this.#faultOf(operation, path);
    if (fault === 'power') this.#turnOff(operation);
    if (fault !== undefined && fault !== 'short') throw errorOf(fault, operation);
  }

  #faultOf(operation: Operation, path: string): DiskFault | undefined {
    if (this.isOff) throw errorOf('EIO', operation);
    return this.fault(operation, path);
  }

  #turnOff(operation: Operation): never {
    this.isOff = true;
    throw errorOf('EIO', operation);
  }
}

const errorOf = (code: string, operation: string): Error =>
  Object.assign(new Error(`${code}: injected, ${operation}`), { code });

function applyNaming(names: Map<string, Inode>, { name, inode }: Naming): void {
  if (inode === undefined) names.delete(name);
  else names.set(name, inode);
}

function withBytes(content: Buffer, bytes: Buffer, offset: number): Buffer {
  const whole = Buffer.alloc(Math.max(content.length, offset + bytes.length));
  content.copy(whole);
  bytes.copy(whole, offset);
  return whole;
}

/** Each page of each write that was not synced is there or not. */
function someOf({ durable, unsynced }: Inode, random: Random): Buffer {
  let content = Buffer.from(durable);
  for (const { offset, bytes } of unsynced) {
    for (let at = 0; at < bytes.length;) {
      const end = Math.min(bytes.length, at + pageBytes - ((offset + at) % pageBytes));
      if (random.next() < 0.5) content = withBytes(content, bytes.subarray(at, end), offset + at) as typeof content;
      at = end;
    }
  }
  return content;
}
