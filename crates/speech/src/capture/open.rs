//! Opens a device: its own rate, format and channels, whatever they are, into a queue.

use std::sync::Arc;
use std::time::Duration;

use cpal::traits::{DeviceTrait, StreamTrait};
use cpal::{BufferSize, Device, ErrorKind, SampleFormat, Stream, StreamConfig};

use super::format::{mix, readable};
use super::microphones::{Microphones, is_monitor};
use super::owner::Opened;
use super::queue::Queue;
use super::trouble::{on_opening, while_running};
use crate::{Error, Result};

/// How long the driver itself may wait for something.
const DRIVER: Duration = Duration::from_secs(4);

/// Blocks a second that a sound server is asked for: it would else deliver every two seconds.
const SERVER_BLOCKS: u32 = 20;

/// The same of ALSA, where two blocks are all the room there is: longer ones, lest some be overrun.
const ALSA_BLOCKS: u32 = 10;

impl Microphones {
    /// Opens and starts a device on this thread, where it then has to stay.
    pub(super) fn open(&self, name: Option<&str>, queue: &Arc<Queue>) -> Result<Opened> {
        let (device, microphone, fell_back) = self.find(name)?;
        let (config, format) = configuration(&device).map_err(|error| on_opening(&error))?;
        let blocks = match microphone.id.split_once(':') {
            Some(("pulseaudio", _)) => Some(SERVER_BLOCKS),
            Some(("alsa", _)) => Some(ALSA_BLOCKS),
            // Windows and macOS deliver every hundredth of a second by themselves.
            _ => None,
        };
        let fixed = blocks.map(|blocks| BufferSize::Fixed((config.sample_rate / blocks).max(1)));
        // A device that knows no such length is left its own.
        let sizes = fixed.into_iter().chain([BufferSize::Default]);
        let mut tried = Err(Error::NoMicrophone);
        for buffer_size in sizes {
            let config = StreamConfig { buffer_size, ..config };
            match start(&device, config, format, queue) {
                Ok(stream) => {
                    tried = Ok(stream);
                    break;
                }
                Err(error) => {
                    tried = Err(on_opening(&error));
                    if error.kind() != ErrorKind::UnsupportedConfig {
                        break;
                    }
                }
            }
        }
        let stream = tried?;
        Ok(Opened { microphone, fell_back, rate: config.sample_rate, stream: Box::new(stream) })
    }
}

/// The device's own configuration where it can be read, else one that can.
fn configuration(
    device: &Device,
) -> std::result::Result<(StreamConfig, SampleFormat), cpal::Error> {
    let own = if is_monitor(device) && !device.supports_input() {
        device.default_output_config()?
    } else {
        device.default_input_config()?
    };
    if readable(own.sample_format()) {
        return Ok((own.config(), own.sample_format()));
    }
    let other = device
        .supported_input_configs()?
        .find(|range| readable(range.sample_format()))
        .ok_or(cpal::Error::new(ErrorKind::UnsupportedConfig))?;
    let other = other.with_max_sample_rate();
    Ok((other.config(), other.sample_format()))
}

fn start(
    device: &Device,
    config: StreamConfig,
    format: SampleFormat,
    queue: &Arc<Queue>,
) -> std::result::Result<Stream, cpal::Error> {
    let (heard, failed) = (queue.clone(), queue.clone());
    let channels = usize::from(config.channels);
    let stream = device.build_input_stream_raw(
        config,
        format,
        move |data, _| heard.push(|into| mix(data, channels, into)),
        move |error| match while_running(&error) {
            Some(trouble) => failed.fail(trouble),
            None if error.kind() == ErrorKind::Xrun => failed.gap(),
            None => {}
        },
        Some(DRIVER),
    )?;
    stream.play()?;
    Ok(stream)
}
