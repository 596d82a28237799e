/** The longest side of a photo that is sent, in pixels. */
const longestSide = 2_048;
const quality = 0.85;

/**
 * The photo as JPEG, at most 2048 pixels on its longest side. It is re-encoded, so what a camera adds (place, device) is not
 * sent. What the browser cannot read is returned as it is: the API decides.
 */
export async function resizePhoto(file: Blob): Promise<Blob> {
  try {
    const image = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const scale = Math.min(1, longestSide / Math.max(image.width, image.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(image.width * scale);
    canvas.height = Math.round(image.height * scale);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    image.close();
    return await new Promise((resolve) =>
      canvas.toBlob((blob) => resolve(blob ?? file), 'image/jpeg', quality),
    );
  } catch {
    return file;
  }
}
