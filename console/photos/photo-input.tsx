import type { Ref } from 'preact';

interface PhotoInputProps {
  input: Ref<HTMLInputElement>;
  label: string;
  accept: string;
  /** Opens the camera where there is one. */
  capture?: 'environment';
  choose(photo: File): void;
}

/** A field for a photo that a button opens. */
export function PhotoInput({ input, label, accept, capture, choose }: PhotoInputProps) {
  return (
    <input
      ref={input}
      type="file"
      hidden
      accept={accept}
      capture={capture}
      aria-label={label}
      onChange={({ currentTarget }) => {
        const photo = currentTarget.files?.[0];
        if (photo !== undefined) choose(photo);
        // the same file may be chosen again
        currentTarget.value = '';
      }}
    />
  );
}
