import fs from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { createRoom } from './room';
import { newFolder, removeFolder } from './testing/folder';

const PAGE = 4096;
const MIB = 1024 * 1024;

describe('the room of a file', () => {
  let folder: string;
  let file: string;
  /** The last page that LMDB has in use. */
  let lastPageNumber: number;
  const environment = { getStats: () => ({ lastPageNumber, pageSize: PAGE }) };

  beforeEach(() => {
    folder = newFolder();
    file = path.join(folder, 'events.mdb');
    lastPageNumber = 1;
  });
  afterEach(() => {
    removeFolder(folder);
  });

  const sizeOf = (): number => fs.statSync(file).size;

  it('is no place to write to: others may have used it since it was measured', async () => {
    fs.writeFileSync(file, Buffer.alloc(16 * MIB));
    const room = createRoom(file);
    await room.ensure(environment, PAGE);
    lastPageNumber = (16 * MIB) / PAGE - 1;
    fs.writeFileSync(file, Buffer.alloc(16 * MIB, 0xff));
    for (let n = 0; n < 100; n += 1) await room.ensure(environment, PAGE);
    expect(
      fs
        .readFileSync(file)
        .subarray(0, 16 * MIB)
        .equals(Buffer.alloc(16 * MIB, 0xff)),
    ).to.equal(true);
  });

  it('is not made in a file that another process takes away meanwhile', async () => {
    fs.writeFileSync(file, Buffer.alloc(2 * PAGE));
    const stat = fs.statSync;
    let looks = 0;
    const statThenRemove = (name: string): fs.Stats => {
      const found = stat(name);
      looks += 1;
      // After the last look before it grows.
      if (looks === 2) fs.rmSync(file);
      return found;
    };
    Object.assign(fs, { statSync: statThenRemove });
    try {
      const ensured = await createRoom(file)
        .ensure(environment, PAGE)
        .catch((failure: unknown) => failure);
      expect(ensured).to.have.property('code', 'ENOENT');
    } finally {
      Object.assign(fs, { statSync: stat });
    }
    expect(fs.existsSync(file)).to.equal(false);
  });

  it('is measured again before long, since commits may take more of it than was thought', async () => {
    fs.writeFileSync(file, Buffer.alloc(16 * MIB));
    const room = createRoom(file);
    await room.ensure(environment, PAGE);
    lastPageNumber = (16 * MIB) / PAGE - 1;
    for (let n = 0; n < (2 * MIB) / PAGE; n += 1) await room.ensure(environment, PAGE);
    expect(sizeOf()).to.be.above(16 * MIB);
  });

  it('is the last that a disk has, if there is enough of it for the commit', async () => {
    fs.writeFileSync(file, Buffer.alloc(64 * MIB));
    lastPageNumber = (64 * MIB) / PAGE - 1;
    const handle = await open(file);
    const prototype = Object.getPrototypeOf(handle) as typeof handle;
    await handle.close();
    // It is called on the handle that it is asked of.
    // eslint-disable-next-line @typescript-eslint/unbound-method
    const { appendFile } = prototype;
    // A disk that has room for 2 MiB more; 8 MiB are asked for where there is room.
    prototype.appendFile = function (...args) {
      if (sizeOf() < 66 * MIB) return appendFile.apply(this, args);
      return Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }));
    };
    try {
      const room = createRoom(file);
      await room.ensure(environment, PAGE);
      expect(sizeOf()).to.equal(66 * MIB);
      await room.ensure(environment, PAGE);
      const refused = await Promise.resolve(room.ensure(environment, 3 * MIB)).catch(
        (failure: unknown) => failure,
      );
      expect(refused).to.have.property('code', 'ENOSPC');
    } finally {
      prototype.appendFile = appendFile;
    }
  });
});
