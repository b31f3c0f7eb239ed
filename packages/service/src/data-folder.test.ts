import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { inDataFolder } from './data-folder';
import { newFolder } from './testing/new-folder';

/** Of no user. */
const OTHER_USER = 65_534;

describe('the data folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** What is said of a folder that cannot be used. */
  const refusal = (place: string, open: () => unknown = () => undefined): string => {
    try {
      inDataFolder(place, open);
    } catch (failure) {
      return String(failure);
    }
    throw new Error(`${place} was taken`);
  };

  /** Root may read and write anything. */
  const asUser = <A>(act: () => A): A => {
    if (process.geteuid?.() !== 0) return act();
    process.seteuid?.(OTHER_USER);
    try {
      return act();
    } finally {
      process.seteuid?.(0);
    }
  };

  it('is created where it is missing', () => {
    const place = path.join(folder, 'new', 'data');
    expect(inDataFolder(place, () => 'opened')).to.equal('opened');
    expect(fs.statSync(place).isDirectory()).to.equal(true);
  });

  it('cannot be a file, or below one', () => {
    const file = path.join(folder, 'file');
    fs.writeFileSync(file, '');
    expect(refusal(file)).to.equal(
      `Error: ${file} is a file, not a folder. Set PRICEBOOK_DATA_DIR to a folder that this user may read and write.`,
    );
    const below = path.join(file, 'data');
    expect(refusal(below)).to.include(`${below} cannot be created: a part of its path is a file.`);
  });

  it('has to be one that this user may read and write, and so are the files in it', () => {
    fs.chmodSync(folder, 0o555);
    const place = path.join(folder, 'data');
    expect(asUser(() => refusal(place))).to.include(
      `This user may not create ${place}, or not read and write it.`,
    );
    const file = path.join(folder, 'events');
    expect(asUser(() => refusal(folder, () => fs.openSync(file, 'a')))).to.match(/This user may not create /);
  });

  it('leaves other failures as they are', () => {
    const failure = new Error('the folder is served by another process');
    expect(
      refusal(folder, () => {
        throw failure;
      }),
    ).to.equal(String(failure));
  });
});
